import type { Deployments } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { pricingPolicyAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { encodePlanId, paidPlans, sunsetNotice } from '@svc/protocol/internal/money'
import type { SafeCall } from '@svc/protocol/internal/steps'
import { type Address, encodeFunctionData, getAddress, isAddress, zeroAddress } from 'viem'
import { z } from 'zod'
import { AdminError } from '../adminError.ts'

/** Who makes a change: the guardian at once, or the owner through the timelock. */
type Authority = 'guardian' | 'owner'

/** A change of a deployment. */
export interface Change {
  summary: string
  authority: Authority
  calls: readonly SafeCall[]
}

interface ChangeContext {
  deployments: Deployments
  /** Both, unless the command names one. */
  markets: readonly Market[]
  /** Unix seconds of the chain. */
  now: number
}

type ChangeKind = (args: Readonly<Record<string, string>>, context: ChangeContext) => Change

const address = z
  .string()
  .refine((text) => isAddress(text, { strict: true }) && text === getAddress(text), 'not an address with a checksum')
  .transform((text): Address => getAddress(text))
const registryCalls = ({ deployments, markets: chosen }: ChangeContext, data: SafeCall['data']): SafeCall[] =>
  chosen.map((market) => ({ to: deployments.markets[market].taskRegistry, data }))
const names = (chosen: readonly Market[]) => chosen.join(' and ')

/** Parses the arguments of a change. Throws `AdminError` with the first that is wrong. */
function parse<S extends z.ZodObject>(schema: S, args: Readonly<Record<string, string>>): z.output<S> {
  const { success, data, error } = schema.safeParse(args)
  if (success) return data
  const [issue] = error.issues
  throw new AdminError(`--${issue?.path.join('.') || 'option'}: ${issue?.message ?? 'not valid'}.`)
}

/** Every change that the guardian or the owner can make. Nothing here can stop an exit. */
export const changes = {
  pause: (_, context) => ({
    summary: `Pause new tasks and claims in ${names(context.markets)}`,
    authority: 'guardian',
    calls: registryCalls(context, encodeFunctionData({ abi: taskRegistryAbi, functionName: 'pauseEntries' })),
  }),
  unpause: (_, context) => ({
    summary: `Allow new tasks and claims in ${names(context.markets)}`,
    authority: 'guardian',
    calls: registryCalls(context, encodeFunctionData({ abi: taskRegistryAbi, functionName: 'unpauseEntries' })),
  }),
  guardian(args, context) {
    const { guardian } = parse(z.object({ guardian: address }), args)
    return {
      summary: `Make ${guardian} the guardian of ${names(context.markets)}`,
      authority: 'owner',
      calls: registryCalls(
        context,
        encodeFunctionData({ abi: taskRegistryAbi, functionName: 'setGuardian', args: [guardian] }),
      ),
    }
  },
  price(args, { deployments }) {
    const shape = z.object({
      tier: z.enum(paidPlans),
      usdc: z
        .string()
        .regex(/^\d{1,12}$/, 'not an amount in USDC units')
        .transform(BigInt),
      discount: z.coerce.number().int().min(0).max(5_000, 'at most 5000 basis points'),
      tok: z.enum(['yes', 'no']),
    })
    const { tier, usdc, discount, tok } = parse(shape, args)
    const plan = { listPriceUsd: usdc, tokDiscountBps: discount, tokAllowed: tok === 'yes' }
    return {
      summary: usdc === 0n ? `Stop selling the plan ${tier}` : `Sell the plan ${tier} for ${usdc} USDC units`,
      authority: 'owner',
      calls: [
        {
          to: deployments.shared.pricingPolicy,
          data: encodeFunctionData({
            abi: pricingPolicyAbi,
            functionName: 'setPlan',
            args: [encodePlanId(tier), plan],
          }),
        },
      ],
    }
  },
  feed(args, { deployments }) {
    const { oracle } = parse(z.object({ oracle: z.union([z.literal('none'), address]) }), args)
    const next = oracle === 'none' ? zeroAddress : oracle
    return {
      summary:
        oracle === 'none'
          ? 'Remove the oracle: plans sell for USDC only'
          : `Take the price of TOK from the oracle ${oracle}`,
      authority: 'owner',
      calls: [
        {
          to: deployments.shared.pricingPolicy,
          data: encodeFunctionData({ abi: pricingPolicyAbi, functionName: 'setUsdOracle', args: [next] }),
        },
      ],
    }
  },
  staking: (_, { deployments, markets: chosen }) => ({
    summary: `Open staking in ${names(chosen)}`,
    authority: 'owner',
    calls: chosen.map((market) => ({
      to: deployments.markets[market].stakingVault,
      data: encodeFunctionData({ abi: stakingVaultAbi, functionName: 'activateStaking' }),
    })),
  }),
  sunset(args, context) {
    const { at } = parse(z.object({ at: z.iso.datetime({ message: 'not a time such as 2030-01-31T00:00:00Z' }) }), args)
    const endsAt = Math.floor(Date.parse(at) / 1_000)
    if (endsAt < context.now + sunsetNotice)
      throw new AdminError(`--at: ${at} is less than ${sunsetNotice / 86_400} days ahead of the chain.`)
    return {
      summary: `End new tasks and claims in ${names(context.markets)} for good at ${at}`,
      authority: 'owner',
      calls: registryCalls(
        context,
        encodeFunctionData({ abi: taskRegistryAbi, functionName: 'sunset', args: [BigInt(endsAt)] }),
      ),
    }
  },
} as const satisfies Record<string, ChangeKind>

export type ChangeName = keyof typeof changes

/** Builds a change by name. */
export function buildChange(
  name: ChangeName,
  args: Readonly<Record<string, string>>,
  context: Omit<ChangeContext, 'markets'> & { market?: Market | undefined },
): Change {
  const { market } = context
  const build: ChangeKind = changes[name]
  return build(args, { ...context, markets: market ? [market] : markets })
}
