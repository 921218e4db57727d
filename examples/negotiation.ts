// A private task, negotiated with messages and created on a running `pnpm devnet`: proposal, counter offer, two acceptances, the
// agreement file, and the task on chain. The second argument is the path for the agreement file.
import { writeFile } from 'node:fs/promises'
import { createSigningContext, loadLocalDeployments } from '@svc/chain'
import * as svc from '@svc/devnet'
import {
  buildAcceptanceTypedData,
  buildTerms,
  formatAmount,
  formatTaskId,
  sealTerms,
  toSigningContext,
  toTaskTerms,
} from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import {
  applyMessage,
  buildEnvelope,
  buildEnvelopeTypedData,
  formatAgreement,
  type MessagePayload,
  type MessageType,
  type Negotiation,
  type SignedMessage,
  sealMessage,
  startChain,
  verifyAgreement,
} from '@svc/protocol/negotiation'
import { type LocalAccount, parseUnits } from 'viem'

const deployments = await loadLocalDeployments(process.argv[2])
const client = svc.createDevnetClient(deployments.rpcUrl)
const { bruno: poster, ivo: worker } = svc.accounts
const context = createSigningContext(deployments, 'micro')
const { chainId } = context
const now = await svc.getChainTime(client)
const expiry = BigInt(now + 3_600)

const transcript: SignedMessage[] = []
let negotiation: Negotiation | null = null

const draft = {
  poster: poster.address,
  worker: worker.address,
  title: 'Caption ten photos',
  criteria: 'Every photo has a caption of one sentence.',
  milestones: [{ title: 'Ten captions', amountTokWei: parseUnits('4000', 18), durationSeconds: 3_600 }],
  claimDeadline: now + 86_400,
  nonce: freshNonce(),
}
const proposed = await say(poster, 'TaskProposal', { terms: buildTerms(draft, context, now) })

const milestones = proposed.terms.milestones.map((each) => ({ ...each, amountTokWei: parseUnits('5000', 18) }))
const { settlementDigest } = sealTerms({ ...proposed.terms, milestones })
await say(worker, 'MilestoneDefinition', { replaces: proposed.terms.settlementDigest, milestones, settlementDigest })

await accept(worker)
await accept(poster)

const file = await formatAgreement(transcript, { chainId })
if (process.argv[3]) await writeFile(process.argv[3], file)
const agreement = await verifyAgreement(file, { digest: settlementDigest })
const [price] = agreement.terms.milestones.map(({ amountTokWei }) => formatAmount(amountTokWei, 'tok'))
console.log(`Agreed on ${price} in ${agreement.length} messages, ${file.length} bytes`)

const registry = { address: context.taskRegistry, abi: taskRegistryAbi } as const
const { acceptances, terms } = agreement
const { result: number, request } = await client.simulateContract({
  ...registry,
  account: worker,
  functionName: 'create',
  args: [toTaskTerms(terms), agreement.worker, acceptances.poster, acceptances.worker],
})
await client.waitForTransactionReceipt({ hash: await client.writeContract(request) })
const onChain = await client.readContract({ ...registry, functionName: 'settlementDigestOf', args: [number] })
const same = onChain === agreement.settlementDigest
console.log(
  `Task ${formatTaskId({ market: context.market, number })} has ${same ? 'the same' : 'another'} digest on chain`,
)

/** Signs a message of a party and applies it. */
async function say<Type extends MessageType>(
  by: LocalAccount,
  type: Type,
  payload: MessagePayload<Type>,
): Promise<Negotiation> {
  const sender = { evmAddress: by.address }
  const end = negotiation ?? startChain(crypto.randomUUID())
  const envelope = buildEnvelope(end, { type, payload, sender, timestamp: new Date(now * 1000) })
  const message = sealMessage(envelope, await by.signTypedData(buildEnvelopeTypedData(chainId, envelope)))
  negotiation = await applyMessage(negotiation, message, { chainId })
  transcript.push(message)
  return negotiation
}

/** Builds a party's acceptance of the current offer. */
async function accept(by: LocalAccount): Promise<void> {
  if (!negotiation) throw new Error('There is no offer to accept. Send a proposal first.')
  const { terms, parties } = negotiation
  const said = { party: by.address, nonce: freshNonce(), expiry }
  const typed = buildAcceptanceTypedData(toSigningContext(terms), {
    terms: toTaskTerms(terms),
    worker: parties.worker,
    ...said,
  })
  await say(by, 'TaskAcceptance', {
    settlementDigest: terms.settlementDigest,
    ...said,
    signature: await by.signTypedData(typed),
  })
}

/** The registry accepts each nonce of a wallet only once, in terms and acceptances together. */
function freshNonce(): bigint {
  return BigInt(`0x${crypto.randomUUID().replaceAll('-', '')}`)
}
