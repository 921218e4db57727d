// Two complete tasks on a running `pnpm devnet`: a private one from two signatures to COMPLETED, and an open one through a
// dispute to RESOLVED. The clock of the devnet is moved past the evidence and the appeal window.
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

const secret = await svc.sendCreate(scene, { poster, text: 'As agreed in chat', amounts, duration: 3600 }, worker)
await svc.sendFunding(scene, secret)
await svc.sendActivation(scene, secret)
await svc.sendDelivery(scene, secret, 'The finished work')
await svc.sendRelease(scene, secret)
await show('Private task', secret)

const open = await svc.sendPost(scene, { poster, text: 'Caption ten photos', amounts, duration: 3600 })
await svc.sendClaim(scene, open, worker)
await svc.sendActivation(scene, open)
await svc.sendDelivery(scene, open, 'Ten captions')
await svc.sendDispute(scene, open, 'Three captions are missing')
await svc.agreeOnJudge(scene, open, arbitrator)
await svc.sendEvidence(scene, open, worker, 'All ten are in the file', 7_000n)
await svc.advanceTime(client, scene.params.evidenceWindow + 1)
await svc.sendRuling(scene, open, true, 'Seven of ten')
await svc.advanceTime(client, scene.params.appealWindow + 1)
await svc.sendFinalization(scene, open)
await show('Open task', open)

const after = await balances()
const rows = before.map((row, index) => [...row, ...(after[index]?.slice(1) ?? [])])
console.log(svc.formatTable([['who', 'TOK before', 'deposit before', 'TOK after', 'deposit after'], ...rows]))

async function show(label: string, { id }: svc.Job) {
  const [status] = await svc.readStatuses(scene, [id])
  console.log(`${label} ${formatTaskId({ market: scene.market, number: id })} is ${status?.state}`)
}

function balances(): Promise<string[][]> {
  return Promise.all(
    Object.entries(people).map(async ([who, { address }]) => {
      const { tok, deposit } = await svc.readBalances(scene, address)
      return [who, svc.formatTokenAmount(tok, 'TOK'), svc.formatTokenAmount(deposit, 'USDC')]
    }),
  )
}
