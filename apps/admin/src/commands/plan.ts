import { saveDeployments } from '@svc/chain'
import type { Command } from 'commander'
import { AdminError } from '../adminError.ts'
import { loadState, saveState } from '../deploy/deployState.ts'
import { assertPlan, countCreated, deploySuite } from '../deploy/deploySuite.ts'
import { openSigner, type SignerChoice } from '../deploy/openSigner.ts'
import { createDeployBatches, writeBatches } from '../deploy/writeBatches.ts'
import { describePlan } from '../plan/describePlan.ts'
import { loadPlan } from '../plan/planFile.ts'
import { computeSuite } from '../plan/plannedSuite.ts'
import { findRuleFaults, formatPlanFaults } from '../plan/planRules.ts'
import { type AdminContext, connectProviders, type RpcOptions, withRpc, withSigner } from './shared.ts'

interface PlanOptions extends RpcOptions {
  plan: string
}

interface DeployOptions extends PlanOptions, SignerChoice {
  out: string
  state?: string
  safe?: string
}

/** Adds `plan` and `deploy`. */
export function addPlanCommands(program: Command, context: AdminContext): void {
  const { print, environment } = context
  withRpc(program.command('plan'))
    .description('Checks a plan, and prints its addresses, roles and gas. Sends nothing.')
    .requiredOption('--plan <file>', 'the reviewed plan of the chain')
    .option('--offline', 'ask no provider', false)
    .option('--json', 'print addresses and transactions as JSON', false)
    .action(async (options: PlanOptions & { offline: boolean; json: boolean }) => {
      const plan = await loadPlan(options.plan)
      const faults = findRuleFaults(plan)
      if (options.offline && faults.length > 0) throw new AdminError(formatPlanFaults(faults))
      if (!options.offline) {
        for (const { client } of connectProviders(plan.chainId, options, context)) await assertPlan(plan, client)
      }
      const suite = computeSuite(plan)
      const json = () => JSON.stringify(suite, (_, value) => (typeof value === 'bigint' ? String(value) : value), 2)
      print(options.json ? json() : describePlan(plan, suite))
    })

  withSigner(withRpc(program.command('deploy')))
    .description('Creates what does not exist yet of a plan. An interrupted deployment continues.')
    .requiredOption('--plan <file>', 'the reviewed plan of the chain')
    .requiredOption('--out <file>', 'the deployments file to write')
    .option('--state <file>', 'what was sent (default: the deployments file with .state)')
    .option('--safe <folder>', 'send nothing, and write batches for the transaction builder of the Safe that deploys')
    .action(async (options: DeployOptions) => {
      const plan = await loadPlan(options.plan)
      const [{ client }] = connectProviders(plan.chainId, options, context)
      const suite = computeSuite(plan)
      if (options.safe) {
        await assertPlan(plan, client)
        const done = await countCreated(client, suite)
        if (done < suite.steps.length) {
          const files = await writeBatches(options.safe, createDeployBatches(plan, done))
          print(
            `Execute these in order, then run the same command again:\n${files.map((file) => `  ${file}`).join('\n')}`,
          )
          return
        }
      }
      const stateFile = options.state ?? `${options.out}.state`
      const signer = options.safe
        ? { address: plan.deployer, send: () => Promise.reject(new AdminError('Nothing is left to send.')) }
        : await openSigner(options, { address: plan.deployer, client, environment })
      const deployments = await deploySuite({
        plan,
        client,
        signer,
        state: await loadState(stateFile, plan),
        save: (state) => saveState(stateFile, state),
        onStep: (done, total, { name, address }) => print(`${done}/${total} ${name} ${address}`),
      })
      await saveDeployments(options.out, deployments)
      print(`Wrote ${options.out}. Next: svc-admin check --plan ${options.plan} --deployments ${options.out}`)
    })
}
