import { type Address, getAddress } from 'viem'
import * as z from 'zod'
import { profilesJson } from '../json/reputation.ts'
import { defineRead } from '../operation.ts'
import { market } from '../params.ts'

const maxAddresses = 50

export const listProfiles = defineRead('listProfiles', {
  summary: 'Show the public record of wallets in one market.',
  description:
    'Computed from the counters of the reputation contract, like the list of wallets with a reputation. A wallet without a record has zeros.',
  tag: 'wallet',
  chainCost: 3,
  input: z.object({
    addresses: z
      .string('addresses are required: wallet addresses, separated by commas')
      .max(5_000)
      .transform((text, context): Address[] => {
        const all = text.split(',')
        const wrong = all.find((each) => !/^0x[0-9a-fA-F]{40}$/.test(each))
        const fail = (message: string) =>
          context.addIssue({ code: 'custom', message, params: { code: 'INVALID_ADDRESS' } })
        if (wrong !== undefined) fail('addresses must be wallet addresses, separated by commas')
        else if (all.length > maxAddresses) fail(`addresses must be ${maxAddresses} at most`)
        else return [...new Set(all.map((each) => getAddress(each)))]
        return z.NEVER
      })
      .describe(`Wallet addresses, separated by commas, ${maxAddresses} at most; upper and lower case do not matter.`),
    market,
  }),
  output: profilesJson,
  errors: ['INVALID_ADDRESS'],
})
