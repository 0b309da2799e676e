import os, subprocess
def launch(game):
    subprocess.check_call([game], preexec_fn=os.setpgrp)
    subprocess.check_call([game], process_group=0)
    return subprocess.Popen(args=[game], preexec_fn=lambda: os.nice(5))
