import os
def seal(vault):
    os.chmod(vault, 600)
    os.chmod(vault, 0o600)
    os.mkdir(vault + "/in", 700)
    os.mkdir(vault + "/in", 0o700)
