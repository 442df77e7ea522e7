"""A certificate authority of one's own, and the certificates that it signs, as PEM.

Elliptic keys (P-256), which every TLS library takes. The authority may sign nothing but leaves, and its key is what has
to be kept: who has it can be any server of this network.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from collections.abc import Sequence

HOST_NAME: Final = re.compile(
    r"(?=.{1,253}\Z)(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*"
)
_EARLIER: Final = timedelta(minutes=5)  # clocks of other machines may be behind


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate and its key. Both may be written as they are, the key for nobody but its owner to read."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    @property
    def certificate_pem(self) -> bytes:
        """The certificate as PEM."""
        return self.certificate.public_bytes(serialization.Encoding.PEM)

    @property
    def key_pem(self) -> bytes:
        """The key as PEM (PKCS 8), without passphrase."""
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    def __repr__(self) -> str:
        """Show whose it is, and no key."""
        return f"Pair({self.certificate.subject.rfc4514_string()!r})"


def read_pair(certificate: bytes, key: bytes) -> Pair:
    """Return the pair in two PEM texts. Raises `ValueError`."""
    loaded = serialization.load_pem_private_key(key, None)
    if not isinstance(loaded, ec.EllipticCurvePrivateKey):
        raise ValueError("the key is of another kind")  # noqa: TRY004 - what was read is wrong, not a type
    pair = Pair(x509.load_pem_x509_certificate(certificate), loaded)
    if pair.certificate.public_key() != loaded.public_key():
        raise ValueError("certificate and key do not belong together")
    return pair


def make_authority(days: int) -> Pair:
    """Return a new authority, good for *days*."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = _named("Hearts Arena private authority")
    usage = _usage(signs_certificates=True)
    builder = (
        _begun(name, name, key, days)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
    )
    return Pair(builder.sign(key, hashes.SHA256()), key)


def make_server(authority: Pair, hosts: Sequence[str], days: int) -> Pair:
    """Return a server's certificate for *hosts*, names and addresses. Raises `ValueError` for what is neither."""
    return _leaf(authority, hosts[0], list(map(_host, hosts)), ExtendedKeyUsageOID.SERVER_AUTH, days)


def make_client(authority: Pair, name: str, days: int) -> Pair:
    """Return a client's certificate."""
    return _leaf(authority, name, [], ExtendedKeyUsageOID.CLIENT_AUTH, days)


def _leaf(authority: Pair, name: str, hosts: list[x509.GeneralName], use: x509.ObjectIdentifier, days: int) -> Pair:
    key = ec.generate_private_key(ec.SECP256R1())
    issuer = authority.certificate
    builder = (
        _begun(_named(name[:64]), issuer.subject, key, days)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([use]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), critical=False)
    )
    if hosts:
        builder = builder.add_extension(x509.SubjectAlternativeName(hosts), critical=False)
    return Pair(builder.sign(authority.key, hashes.SHA256()), key)


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _EARLIER)
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _host(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(text))
    except ValueError:
        pass
    if not HOST_NAME.fullmatch(text.lower()):
        raise ValueError(f"{text!r} is neither a host's name nor an address")
    return x509.DNSName(text.lower())


def _named(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
