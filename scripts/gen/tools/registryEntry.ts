import manifest from '../../../apps/tools/package.json' with { type: 'json' }
import { settings } from './settings.ts'

/** Creates the app's entry in the MCP registry. */
export const createRegistryEntry = () => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: manifest.mcpName,
  title: 'Task Market',
  description: 'Find, judge, negotiate, claim and verify tasks of an on-chain market. Only your wallet signs.',
  version: manifest.version,
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
