import manifest from '../../../apps/tools/package.json' with { type: 'json' }
import { jobTools } from '../../../apps/tools/src/tools/index.ts'
import { settings } from './settings.ts'

const toConfigKey = (variable: string) => variable.toLowerCase()

/** Creates the manifest of the .mcpb bundle. One click installs the server, and the client asks for its settings. */
export const createBundleManifest = () => ({
  manifest_version: '0.3',
  name: 'svc-tools',
  display_name: 'Task Market',
  version: manifest.version,
  description: manifest.description,
  author: { name: 'Task Market' },
  license: manifest.license,
  keywords: manifest.keywords,
  server: {
    type: 'node',
    entry_point: 'server/svc-tools.mjs',
    mcp_config: {
      command: 'node',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in.
      args: ['${__dirname}/server/svc-tools.mjs'],
      env: Object.fromEntries(settings.map(({ variable }) => [variable, `\${user_config.${toConfigKey(variable)}}`])),
    },
  },
  tools: jobTools.map(({ name, description }) => ({ name, description })),
  user_config: Object.fromEntries(
    settings.map(({ variable, title, description, isRequired, isSecret, isFile, ...rest }) => [
      toConfigKey(variable),
      {
        type: isFile ? 'file' : 'string',
        title,
        description,
        required: isRequired,
        ...(isSecret && { sensitive: true }),
        ...(rest.default && { default: rest.default }),
      },
    ]),
  ),
  compatibility: { runtimes: { node: manifest.engines.node } },
})
