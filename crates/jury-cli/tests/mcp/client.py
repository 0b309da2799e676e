"""The official Python SDK of the Model Context Protocol against `jury mcp`: a review, a claim, a second look.

In: the binary, a repository with one High in src/high.ts, the era of the protocol, and for HTTP the address and the token. Out: one line,
or a traceback. The SDK checks every result against the output schema of its tool by itself.
"""

import asyncio
import pathlib
import sys

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

HIGH = 'import { exec } from "child_process";\nexport const list = (folder: string) => exec("ls " + folder);\n'
TOOLS = [
    "next_action",
    "review_run",
    "review_status",
    "findings_list",
    "finding_get",
    "claim_status",
    "fix_verify",
    "decision_explain",
]


async def day(client: Client, repository: pathlib.Path) -> str:
    """A team agent's day."""
    assert client.server_info.name == "jury", client.server_info
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == TOOLS, list(tools)
    assert all(tool.output_schema for tool in tools.values())
    writers = [name for name, tool in tools.items() if not tool.annotations.read_only_hint]
    assert writers == ["review_run", "claim_status", "fix_verify"], writers

    async def call(name: str, **arguments: object) -> dict:
        result = await client.call_tool(name, arguments)
        assert not result.is_error, (name, result.content)
        return result.structured_content

    (repository / "src/high.ts").write_text(HIGH)
    reviewed = await call("review_run", mode="full")
    assert reviewed["verdict"] == "WARN", reviewed
    listed = await call("findings_list", severity="High", status="open")
    identity = listed["findings"][0]["id"]
    assert (await call("next_action"))["required"] == [identity]
    assert (await call("finding_get", id=identity))["finding"]["status"] == "open"
    assert (await call("review_status"))["gate"] == "blocked"
    assert (await call("decision_explain"))["verdict"] == "WARN"

    missing = await client.call_tool("finding_get", {"id": "nonsense"})
    assert missing.is_error and "jury status" in missing.content[0].text, missing
    late = await client.call_tool("claim_status", {"id": identity, "status": "fixed", "expected": "reopened"})
    assert late.is_error and "nothing was marked" in late.content[0].text, late

    (repository / "src/high.ts").write_text("export const list = 1;\n")
    claimed = await call("claim_status", id=identity, status="fixed", expected="open")
    assert claimed["finding"]["status"] == "fixed", claimed
    # Two calls at once are both answered.
    verified, status = await asyncio.gather(call("fix_verify"), call("review_status"))
    assert [finding["status"] for finding in verified["findings"] if finding["id"] == identity] == ["verified"], verified
    assert status["review"], status

    resources = [str(resource.uri) for resource in (await client.list_resources()).resources]
    assert resources == ["review://latest", "review://report"], resources
    for address in [*resources, f"review://finding/{identity}"]:
        assert (await client.read_resource(address)).contents[0].text, address
    prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
    assert prompts == ["fix_finding"], prompts
    prompt = await client.get_prompt("fix_finding", {"id": identity})
    assert identity in prompt.messages[0].content.text
    return client.protocol_version


async def main(binary: str, repository: str, mode: str, address: str = "", token: str = "") -> None:
    if address:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            async with Client(streamable_http_client(address, http_client=http), mode=mode) as client:
                version = await day(client, pathlib.Path(repository))
    else:
        server = StdioServerParameters(command=binary, args=["mcp", "-C", repository])
        async with Client(server, mode=mode) as client:
            version = await day(client, pathlib.Path(repository))
    print(f"done under {version}")


asyncio.run(main(*sys.argv[1:]))
