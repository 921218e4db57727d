// The tools of the MCP server that build terms and what parties sign.
import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { buildAcceptanceTypedData, markets } from '@svc/protocol'
import { type Address, hashTypedData, keccak256, toHex, zeroHash } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import { type Check, isList, isObject, type Json } from '../call.ts'
import { buildExpectedTerms, describeTypedData, draft } from '../privateTerms.ts'
import { assertRefused, describeToolMeta, inTime } from '../toolFields.ts'
import type { BehaviourWorld } from '../world.ts'

export function listToolTermsChecks(world: BehaviourWorld) {
  const { timestamp } = world.facts.block
  const chosen = { nonce: '77', claimDeadline: timestamp + 36_000 }

  return {
    svc_build_task_terms: async (call) => {
      for (const market of markets) {
        const { status, body } = await call({
          to: 'svc_build_task_terms',
          input: { market, ...draft, store: 'none', document: true },
        })
        const { document } = buildExpectedTerms(world, market, readObject(body, 'untrustedTerms'))
        const { settlementDigest, criteriaHash } = document
        assertEqual(
          { status, body },
          {
            status: 200,
            body: {
              settlementDigest,
              criteriaHash,
              scope: 'PRIVATE',
              totalAmountTokWei: '350500000000000000000',
              totalAmount: '350.5 TOK',
              store: null,
              draftId: `draft_${settlementDigest.slice(2, 18)}`,
              untrustedTerms: document,
              warnings: [
                'No store: any delivered hash is paid if the poster does not answer in time. Leave store out to use that of the market.',
              ],
              nextStep: 'Pass terms {draftId} to svc_build_xmtp_proposal, and to svc_build_xmtp_acceptance_template.',
              meta: describeToolMeta(world),
            },
          },
          `terms in ${market}`,
        )
      }
    },

    svc_build_xmtp_proposal: async (call) => {
      const to = 'svc_build_xmtp_proposal'
      const negotiationId = 'b7a0f1de-3c1c-4d5e-9a63-2f0f7f6f0a11'
      const { poster, worker, ...unnamed } = draft
      for (const market of markets) {
        const { document: terms } = buildExpectedTerms(world, market, chosen)
        for (const [sender, xmtpPublicKey] of [
          [poster, 'key-of-ada'],
          [worker, 'key-of-emeka'],
        ] as const) {
          const answer = await call({ to, input: { terms, sender, negotiationId, xmtpPublicKey } })
          const envelope = buildEnvelope(negotiationId, sender, xmtpPublicKey, terms)
          assertEqual(answer, { status: 200, body: describeProposal(envelope) }, `${sender} in ${market}`)
        }
        // A draft names one party, and the sender is the other one.
        const { body } = await call({
          to,
          input: { terms: { market, poster, store: 'none', ...unnamed }, sender: worker },
        })
        const sent = readObject(body, 'untrustedEnvelope')
        if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(sent.negotiationId)))
          throw new Error(`${sent.negotiationId} is not a UUID.`)
        const { document } = buildExpectedTerms(world, market, readObject(sent.payload ?? null, 'terms'))
        const envelope = buildEnvelope(String(sent.negotiationId), worker, '', document)
        assertEqual(body, describeProposal(envelope), `a draft in ${market}`)
      }
      const { document: terms } = buildExpectedTerms(world, 'micro', chosen)
      await assertRefused(call, to, { terms, sender: accounts.goran.address }, 'TERMS_REFUSED')
      await assertRefused(call, to, { terms: { ...terms, maxRevisions: 3 }, sender: poster }, 'TERMS_REFUSED')
      await assertRefused(call, to, { terms, sender: poster, xmtpPublicKey: 'two words' }, 'TERMS_REFUSED')
    },

    svc_build_xmtp_acceptance_template: async (call) => {
      const to = 'svc_build_xmtp_acceptance_template'
      for (const market of markets) {
        const { document: terms, signed } = buildExpectedTerms(world, market, chosen)
        for (const expiryHours of [24, 12]) {
          const { status, body } = await call({ to, input: { terms, ...(expiryHours !== 24 && { expiryHours }) } })
          const expiry = timestamp + expiryHours * 3_600
          const nonces = ['poster', 'worker'].map((name) => String(readObject(body, name).nonce))
          if (new Set(nonces).size < 2) throw new Error('Both parties have the same nonce.')
          const describe = (party: Address, nonce = '') => {
            const typed = buildAcceptanceTypedData(createSigningContext(world.devnet.deployments, market), {
              terms: signed,
              worker: draft.worker,
              party,
              nonce: BigInt(nonce),
              expiry: BigInt(expiry),
            })
            const digest = hashTypedData(typed)
            return { party, nonce, ...inTime('expiry', expiry), digest, typedData: describeTypedData(typed) }
          }
          assertEqual(
            { status, body },
            {
              status: 200,
              body: {
                settlementDigest: terms.settlementDigest,
                poster: describe(draft.poster, nonces[0]),
                worker: describe(draft.worker, nonces[1]),
                nextStep:
                  'Each party signs its own typedData. With both signatures call svc_prepare with action create-task.',
                meta: describeToolMeta(world),
              },
            },
            `acceptances in ${market}`,
          )
        }
      }
      const { document } = buildExpectedTerms(world, 'micro', chosen)
      const { standard } = world.facts
      for (const changed of [
        { maxRevisions: 3 },
        { taskRegistry: standard.contracts.taskRegistry },
        { worker: null },
        { claimDeadline: timestamp - 1 },
      ]) {
        await assertRefused(call, to, { terms: { ...document, ...changed } }, 'TERMS_REFUSED')
      }
    },
  } satisfies Record<string, Check>

  type Envelope = ReturnType<typeof buildEnvelope>

  /** The first envelope of a negotiation, with the nine fields of the specification but a task id. */
  function buildEnvelope(negotiationId: string, evmAddress: Address, xmtpPublicKey: string, terms: Json) {
    return {
      schemaVersion: 'svc-xmtp-v1',
      type: 'TaskProposal',
      negotiationId,
      sequence: 1,
      previousHash: zeroHash,
      timestamp: new Date(timestamp * 1_000).toISOString(),
      sender: { evmAddress, xmtpPublicKey },
      payload: { terms },
    }
  }

  function describeProposal(envelope: Envelope) {
    const hash = keccak256(toHex(JSON.stringify(sortNames(envelope))))
    const { negotiationId, sender, payload } = envelope
    return {
      negotiationId,
      hash,
      settlementDigest: readObject(payload, 'terms').settlementDigest,
      signer: sender.evmAddress,
      typedData: describeTypedData({
        domain: { name: 'Svc Negotiation', version: '1', chainId: 8453 },
        types: {
          EnvelopeSeal: [
            { name: 'negotiationId', type: 'string' },
            { name: 'sequence', type: 'uint256' },
            { name: 'hash', type: 'bytes32' },
          ],
        },
        primaryType: 'EnvelopeSeal',
        message: { negotiationId, sequence: 1n, hash },
      }),
      untrustedEnvelope: envelope,
      nextStep:
        'Sign typedData with the sender’s wallet, or let svc-negotiate propose these terms; send-proposal sends.',
      meta: describeToolMeta(world),
    }
  }
}

function readObject(body: Json, name: string) {
  const value = isObject(body) ? body[name] : null
  return isObject(value) ? value : {}
}

/** Canonical JSON (RFC 8785) of plain values: the names of every object in order. */
function sortNames(value: Json): Json {
  if (isList(value)) return value.map(sortNames)
  if (!isObject(value)) return value
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, sortNames(value[name] ?? null)]))
}
