import * as z from 'zod/mini'
import { markets } from './market.ts'

/** The schema of a market name. Apart from the names, so that a page which only compares them does not load zod. */
export const market = z.enum(markets)
