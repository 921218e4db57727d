import { fileURLToPath } from 'node:url'

const site = fileURLToPath(new URL('../../apps/site', import.meta.url))

/** The options of a build of the web site that are environment variables, as `apps/site/README.md` lists them. */
export type SiteBuildOptions = Readonly<Record<`SVC_SITE_${string}`, string>>

/** The command that builds the web site for the contracts of a deployments file into a folder. */
export function siteBuild(deploymentsFile: string, folder: string, options: SiteBuildOptions = {}) {
  return {
    command: process.execPath,
    args: [`${site}/node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'error'],
    cwd: site,
    env: { ...options, SVC_DEPLOYMENTS: deploymentsFile, SVC_SITE_DIR: folder },
  }
}

/** The command that serves the web site from its sources with hot reload, and proxies its requests to the API. */
export function serveSite(deploymentsFile: string, port: number, apiUrl: string) {
  return {
    command: process.execPath,
    args: [`${site}/node_modules/vite/bin/vite.js`, '--host', '127.0.0.1', '--port', String(port), '--strictPort'],
    cwd: site,
    env: { SVC_DEPLOYMENTS: deploymentsFile, SVC_API_URL: apiUrl, NO_COLOR: '1' },
  }
}
