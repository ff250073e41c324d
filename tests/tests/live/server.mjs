// An MCP server whose tools note down what they are given, or ask the person and give back what was answered.

import { createInterface } from "node:readline";
import { appendFileSync, writeFileSync } from "node:fs";
const none = { type: "object", properties: {} };
const text = { type: "object", properties: { text: { type: "string" } } };
const reads = { readOnlyHint: true };
const changes = { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
const tools = [
  { name: "note", description: "Writes a note", inputSchema: text, annotations: changes },
  { name: "scratch", description: "Writes a note elsewhere", inputSchema: text, annotations: changes },
  ...["form", "order", "confirm", "agree", "link"].map((name) => ({ name, description: name, inputSchema: none, annotations: reads })),
];
const asks = {
  form: {
    message: "Please fill in the deployment details.",
    requestedSchema: {
      type: "object",
      properties: {
        region: { type: "string", title: "Region", description: "Where to deploy", enum: ["eu-west", "us-east", "ap-south"] },
        name: { type: "string", title: "Name", description: "Release name" },
        confirm: { type: "boolean", title: "Confirm", description: "Really deploy?" },
      },
      required: ["region", "name", "confirm"],
    },
  },
  order: {
    message: "What shall it be?",
    requestedSchema: {
      type: "object",
      properties: {
        size: { type: "string", title: "Size", enum: ["small", "large"], enumNames: ["Small one", "Large one"], default: "small" },
        extras: { type: "array", title: "Extras", description: "As many as you like", items: { type: "string", enum: ["milk", "sugar", "ice"] } },
        count: { type: "integer", title: "How many", minimum: 1, maximum: 9 },
        note: { type: "string", title: "Note" },
        gift: { type: "boolean", title: "As a gift" },
      },
      required: ["size", "count"],
    },
  },
  confirm: { message: "Do you confirm the deployment?", requestedSchema: none },
  agree: {
    message: "Allow this request?",
    requestedSchema: {
      type: "object",
      properties: { agreed: { type: "boolean", title: "Agree", description: "Approve the pending action." } },
      required: ["agreed"],
    },
  },
  link: {
    mode: "url",
    elicitationId: "e1",
    url: "https://payments.example/checkout/123",
    message: "Review the payment details to continue.",
  },
};
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const waiting = new Map();
let asked = 1000;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === undefined) {
    const call = waiting.get(id);
    waiting.delete(id);
    send({ id: call, result: { content: [{ type: "text", text: `answered ${JSON.stringify(result ?? error)}` }] } });
  } else if (method === "initialize") {
    const serverInfo = { name: "story", version: "1" };
    send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  } else if (method === "tools/list") {
    send({ id, result: { tools } });
    writeFileSync(`${process.argv[2]}-tools-are-listed`, "");
  } else if (method === "tools/call" && asks[params.name]) {
    asked += 1;
    waiting.set(asked, id);
    send({ id: asked, method: "elicitation/create", params: asks[params.name] });
  } else if (method === "tools/call") {
    appendFileSync(process.argv[2], `${params.arguments.text}\n`);
    send({ id, result: { content: [{ type: "text", text: `noted ${params.arguments.text}` }] } });
  } else if (id !== undefined) {
    send({ id, result: {} });
  }
});
