import { type Deployments, parseDeployments } from '@svc/chain'
import type { DoctorContext } from './diagnosis.ts'
import { offlineChecks } from './offlineChecks.ts'
import { onlineChecks } from './onlineChecks.ts'

/** All checks, in the order in which they are reported. */
export const doctorChecks = [...offlineChecks, ...onlineChecks]

/** Runs the checks and returns the faults, one line each. */
export async function diagnose(context: DoctorContext, { offline }: { offline: boolean }): Promise<string[]> {
  const deployments = await loadQuietly(context)
  const found: string[] = []
  for (const check of doctorChecks) {
    if (offline && check.online) continue
    found.push(...(await check.run(context, deployments)))
  }
  return found
}

/** Loads the deployments; null if they are wrong, which a check reports. */
async function loadQuietly({ environment, readText }: DoctorContext): Promise<Deployments | null> {
  const file = environment.SVC_DEPLOYMENTS
  const text = file ? await readText(file) : null
  try {
    return text === null ? null : parseDeployments(text, file ?? '')
  } catch {
    return null
  }
}
