import { readFileSync } from 'node:fs'
import manifest from '../package.json' with { type: 'json' }
import entry from '../server.json' with { type: 'json' }

/** A document by which agents find the hosted server. */
interface Document {
  path: `/${string}`
  type: string
  text: string
}

/** The card of the server and the catalogue that names it (MCP extension `server-card`), and the skill: how to work here. */
export function listHostDocuments(host: string): readonly Document[] {
  const url = `https://${host}/mcp`
  const { title, description } = entry
  const cardType = 'application/mcp-server-card+json'
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: manifest.mcpName,
    title,
    description,
    version: manifest.version,
    remotes: [{ type: 'streamable-http', url }],
  }
  const name = manifest.mcpName.split('/').at(-1)
  const catalogue = {
    specVersion: '1.0',
    entries: [{ identifier: `urn:air:${host}:mcp:${name}`, type: cardType, url: `${url}/server-card` }],
  }
  return [
    { path: '/mcp/server-card', type: cardType, text: JSON.stringify(card) },
    { path: '/.well-known/ai-catalog.json', type: 'application/ai-catalog+json', text: JSON.stringify(catalogue) },
    {
      path: '/SKILL.md',
      type: 'text/markdown; charset=utf-8',
      text: readFileSync(new URL('../SKILL.md', import.meta.url), 'utf8'),
    },
  ]
}
