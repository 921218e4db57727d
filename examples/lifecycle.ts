// Two tasks from beginning to end on a running `pnpm devnet`: a private one from two signatures to COMPLETED, an open
// one through a dispute to RESOLVED. The dispute's appeal window passes by moving the devnet's clock.
import { loadLocalDeployments } from '@svc/chain'
import * as svc from '@svc/devnet'
import { formatTaskId } from '@svc/protocol'
import { parseUnits } from 'viem'

const deployments = await loadLocalDeployments(process.argv[2])
const client = svc.createDevnetClient(deployments.rpcUrl)
const scene = svc.createScene(client, deployments, 'micro')
const { bruno: poster, ivo: worker, kofi: arbitrator } = svc.accounts
const people = { poster, worker, arbitrator }
const amounts = [parseUnits('5000', 18)]

const before = await balances()

const secret = await svc.create(scene, { poster, text: 'As agreed in chat', amounts, duration: 3600 }, worker)
await svc.fund(scene, secret)
await svc.activate(scene, secret)
await svc.deliver(scene, secret, 'The finished work')
await svc.release(scene, secret)
await show('Private task', secret)

const open = await svc.post(scene, { poster, text: 'Caption ten photos', amounts, duration: 3600 })
await svc.claim(scene, open, worker)
await svc.activate(scene, open)
await svc.deliver(scene, open, 'Ten captions')
await svc.openDispute(scene, open, 'Three captions are missing')
await svc.agreeOn(scene, open, arbitrator)
await svc.submitEvidence(scene, open, worker, 'All ten are in the file')
await svc.rule(scene, open, [7_000n], 'Seven of ten')
await svc.warp(client, scene.params.appealWindow + 1)
await svc.finalize(scene, open)
await show('Open task', open)

const after = await balances()
const rows = before.map((row, index) => [...row, ...(after[index]?.slice(1) ?? [])])
console.log(svc.table([['who', 'TOK before', 'deposit before', 'TOK after', 'deposit after'], ...rows]))

async function show(label: string, { id }: svc.Job) {
  const [status] = await svc.readStatuses(scene, [id])
  console.log(`${label} ${formatTaskId({ market: scene.market, number: id })} is ${status?.state}`)
}

function balances(): Promise<string[][]> {
  return Promise.all(
    Object.entries(people).map(async ([who, { address }]) => {
      const { tok, deposit } = await svc.readBalances(scene, address)
      return [who, svc.amountText(tok, 'TOK'), svc.amountText(deposit, 'USDC')]
    }),
  )
}
