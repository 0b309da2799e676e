import hashlib
import hmac
import os
import random
import secrets
import string

import jwt
from Crypto.Cipher import AES, DES
from Crypto.PublicKey import RSA
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes


def store_password(user, password):
    user.digest = hashlib.md5(password.encode()).hexdigest()


def store_password_safe(user, password):
    salt = os.urandom(16)
    user.digest = hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)


def signature(secret_token):
    return hashlib.new("sha1", secret_token).hexdigest()


def signature_safe(secret_token):
    return hashlib.new("sha256", secret_token).hexdigest()


def cache_key(body):
    return hashlib.md5(body, usedforsecurity=False).hexdigest()


def encrypt(key, block):
    return DES.new(key, DES.MODE_CBC, os.urandom(8)).encrypt(block)


def encrypt_ecb(key, block):
    cipher = AES.new(key, AES.MODE_ECB)
    return cipher.encrypt(block)


def encrypt_safe(key, block):
    cipher = AES.new(key, AES.MODE_GCM)
    return cipher.encrypt_and_digest(block)


def encrypt_hazmat(key):
    return Cipher(algorithms.AES(key), modes.ECB()).encryptor()


def encrypt_hazmat_safe(key):
    return Cipher(algorithms.AES(key), modes.GCM(os.urandom(12))).encryptor()


def encrypt_fixed(key, data):
    iv = b"0123456789abcdef"
    return AES.new(key, AES.MODE_CBC, iv).encrypt(data)


def encrypt_random(key, data):
    iv = os.urandom(16)
    return iv + AES.new(key, AES.MODE_CBC, iv).encrypt(data)


def new_key():
    return rsa.generate_private_key(public_exponent=65537, key_size=1024)


def new_key_safe():
    return rsa.generate_private_key(public_exponent=65537, key_size=3072)


def old_key():
    return RSA.generate(1024)


def old_key_safe():
    return RSA.generate(4096)


def reset_token():
    token = "".join(random.choice(string.ascii_letters) for _ in range(32))
    return token


def reset_token_safe():
    token = "".join(secrets.choice(string.ascii_letters) for _ in range(32))
    return token


def make_otp(user):
    user.otp_code = random.randint(100000, 999999)
    user.save()


def make_otp_safe(user):
    user.otp_code = secrets.randbelow(900000) + 100000
    user.save()


def claims(token):
    return jwt.decode(token, options={"verify_signature": False})


def claims_safe(token, key):
    return jwt.decode(token, key, algorithms=["RS256"], options={"verify_signature": True})


def claims_none(token, key):
    return jwt.decode(token, key, algorithms=["HS256", "none"])


def claims_some(token, key):
    return jwt.decode(token, key, algorithms=["HS256"])


def issue(user):
    return jwt.encode({"sub": user.id}, "correct-horse-battery", algorithm="HS256")


def issue_safe(user):
    return jwt.encode({"sub": user.id}, os.environ["JWT_KEY"], algorithm="HS256")


def check(body, given, key):
    expected = hmac.new(key, body, "sha256").hexdigest()
    return expected == given


def check_safe(body, given, key):
    expected = hmac.new(key, body, "sha256").hexdigest()
    return hmac.compare_digest(expected, given)
