import { loadDeployments } from '@svc/chain'
import type { Command } from 'commander'
import { AdminError } from '../adminError.ts'
import { checkDeployment, formatDifferences } from '../check/checkDeployment.ts'
import { loadPlan } from '../plan/planFile.ts'
import { loadCompiler, writeVerifications } from '../verify/writeInputs.ts'
import { type AdminContext, connectProviders, type RpcOptions, withRpc } from './shared.ts'

/** Adds `check` and `verify`. */
export function addCheckCommands(program: Command, context: AdminContext): void {
  const { print, warn } = context
  withRpc(program.command('check'))
    .description('Compares code, roles, parameters and wiring on the chain with a plan. Fails if anything differs.')
    .requiredOption('--plan <file>', 'the reviewed plan of the chain')
    .requiredOption('--deployments <file>', 'the deployments file')
    .action(async (options: RpcOptions & { plan: string; deployments: string }) => {
      const [plan, deployments] = [await loadPlan(options.plan), await loadDeployments(options.deployments)]
      const providers = connectProviders(plan.chainId, options, context)
      if (providers.length < 2) warn('Only one provider: nobody contradicts it. Give two.')
      const found = await checkDeployment(plan, deployments, providers)
      if (found.length > 0) throw new AdminError(formatDifferences(found))
      print(`As planned, by ${providers.length} ${providers.length === 1 ? 'provider' : 'providers'}.`)
    })

  program
    .command('verify')
    .description('Compiles every contract again, compares the bytes, and writes what explorers ask for.')
    .requiredOption('--plan <file>', 'the reviewed plan of the chain')
    .requiredOption('--out <folder>', 'the folder for the inputs, the list of contracts and a script')
    .action(async (options: { plan: string; out: string }) => {
      const plan = await loadPlan(options.plan)
      const compiler = loadCompiler()
      const contracts = await writeVerifications(options.out, plan, compiler)
      print(
        `${contracts.length} contracts compile to the deployed bytes with ${compiler.version}. Wrote ${options.out}.`,
      )
    })
}
