import subprocess
def publish(folder):
    subprocess.run(["tar", "-cf", "out.tar", folder])
    subprocess.run(["tar", "-cf", "out.tar", folder], check=True)
    subprocess.call(["mv", "out.tar", "/srv"], cwd=folder)
    if subprocess.call(["mv", "out.tar", "/srv"], cwd=folder) != 0:
        raise OSError("not moved")
