"""Submits tasks to the HyperQueue server of HQ_SERVER_DIR and says as JSON, a line each time, how many of them are over."""

import json
import os
import sys

try:
    from hyperqueue import Client, Job
    from hyperqueue.ffi.protocol import ResourceRequest
except ImportError as error:
    sys.exit(print(error, file=sys.stderr) or 3)


def say(what, value):
    print(json.dumps({what: value}), flush=True)


tasks = json.load(sys.stdin)
client = Client(os.environ.get("HQ_SERVER_DIR"))
# A task that fails does not end the others.
job = Job(max_fails=None, name=tasks["name"])
for number in tasks["numbers"]:
    job.program(
        ["sh", tasks["script"]],
        env={"UNRULY_TASK": str(number)},
        cwd=os.getcwd(),
        stdout=os.path.join(tasks["logs"], f"{number}.log"),
        stderr=None,
        resources=ResourceRequest(cpus=tasks["cores"]),
    )
submitted = client.submit(job)
say("submitted", submitted.id)
client.connection.wait_for_jobs((submitted.id,), lambda jobs: [say("over", s["finished"] + s["failed"]) for s in jobs.values()])
