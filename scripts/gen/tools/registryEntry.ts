import manifest from '../../../apps/tools/package.json' with { type: 'json' }
import { settings } from './settings.ts'

/** Creates the app's entry in the MCP registry. */
export const createRegistryEntry = () => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: manifest.mcpName,
  title: 'Task Market',
  description: 'Find, judge, negotiate, claim and verify tasks of an on-chain market. Only your wallet signs.',
  version: manifest.version,
  // An operator may also host the tools that read and prepare, without keys or files.
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{market}/mcp',
      variables: { market: { description: 'Host name of the market.', isRequired: true } },
    },
  ],
  packages: [
    {
      registryType: 'npm',
      identifier: manifest.name,
      version: manifest.version,
      runtimeHint: 'npx',
      transport: { type: 'stdio' },
      environmentVariables: settings.map(({ variable, description, isRequired, isSecret, isFile, ...rest }) => ({
        name: variable,
        description,
        isRequired,
        isSecret,
        format: isFile ? 'filepath' : 'string',
        ...(rest.default && { default: rest.default }),
      })),
    },
  ],
})
