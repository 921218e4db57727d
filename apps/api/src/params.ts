import { postingPlans } from '@svc/protocol'
import { z } from 'zod'

const tiers = postingPlans.map(({ id }) => id)

export const tier = z.enum(tiers, `tier must be ${tiers.join(', ')}`).describe('A posting plan.')

const assets = ['tok', 'usdc'] as const

export const payWith = z.enum(assets, `payWith must be ${assets.join(' or ')}`).describe('What the plan is paid with.')
