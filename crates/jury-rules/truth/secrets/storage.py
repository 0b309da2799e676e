import os

import boto3
from azure.identity import ClientSecretCredential
from azure.storage.blob import BlobServiceClient


def uploads():
    return boto3.resource(
        "s3",
        aws_access_key_id="AKIAI7BWVD§TB3TVTLKCX",
        aws_secret_access_key="NtDTZ2HGC00VFJyFZysG§FUCGSTeCjfQXkOiQecgq",
        region_name="eu-west-1",
    )


def uploads_by_role():
    return boto3.resource(
        "s3",
        aws_access_key_id=os.environ["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=os.environ["AWS_SECRET_ACCESS_KEY"],
    )


def documented():
    # As the guide of the vendor has it.
    key = "AKIAIOSFODNN7EXAMPLE"
    secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    return key, secret


def archive():
    text = "DefaultEndpointsProtocol=https;AccountName=acmearchive;AccountKey=9nVwZ9p1X6W5CR+Kf7Z5Y8hbwtRL3QVtsTDtBtxaABvp§yISCcrkle7EhZwg7qG9xKI6pEhd049p2zJO9ojKMFM==;EndpointSuffix=core.windows.net"
    return BlobServiceClient.from_connection_string(text)


def archive_on_this_machine():
    text = "UseDevelopmentStorage=true;AccountName=devstoreaccount1;AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
    return BlobServiceClient.from_connection_string(text)


def directory(tenant: str, client: str):
    return ClientSecretCredential(tenant, client, "TzD8Q~8OR5IjjWooWWJp§bs7aSRXaj87VSmymlOUB")


def directory_from_vault(tenant: str, client: str, vault):
    return ClientSecretCredential(tenant, client, vault.get_secret("graph-client-8Q").value)
