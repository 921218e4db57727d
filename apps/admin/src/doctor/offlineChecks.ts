import type { Deployments } from '@svc/chain'
import { publicKeys } from '@svc/devnet/accounts'
import { configChecks, type Environment, isProduction, keyFiles, reportIf } from '@svc/serve'
import type { DoctorCheck, DoctorContext } from './diagnosis.ts'

/** The checks of every app, and those of a machine with several. */
export const offlineChecks: readonly DoctorCheck[] = [
  {
    name: 'spelling',
    online: false,
    async run({ environment, knownVariables }) {
      if (knownVariables.length === 0) return []
      return Object.keys(environment)
        .filter((name) => name.startsWith('SVC_') && !name.startsWith('SVC_SITE_'))
        .filter((name) => !knownVariables.includes(name))
        .map((name) => `${name} is not a variable of any app. Look for its right name in .env.example.`)
    },
  },
  ...configChecks.map(({ name, run }) => ({
    name,
    online: false,
    run: async (context: DoctorContext, deployments: Deployments | null) =>
      name === 'database URL' && !needsDatabase(context.environment) ? [] : run(context, deployments),
  })),
  {
    name: 'keys of the local chain',
    online: false,
    run: async (context, deployments) =>
      isProduction(deployments?.chainId)
        ? (await Promise.all(keyFiles.map((name) => checkPublicKey(name, context)))).flat()
        : [],
  },
]

/** The services that need no database, by their variables. */
const withoutDatabase = /^SVC_(?:KEEPER|CLERK|WATCH)_/

/** A file with settings of only such services needs none. */
function needsDatabase(environment: Environment): boolean {
  if (environment.SVC_DATABASE_URL) return true
  const names = Object.keys(environment).filter((name) => environment[name])
  return !names.some((name) => withoutDatabase.test(name))
}

async function checkPublicKey(name: (typeof keyFiles)[number], { environment, readText }: DoctorContext) {
  const text = (await readText(environment[name] || '/dev/null'))?.trim().toLowerCase()
  return reportIf(
    Object.values(publicKeys).some((key) => key.toLowerCase() === text),
    `${name}: this key of the local chain is public knowledge. Anybody can use the wallet.`,
  )
}
