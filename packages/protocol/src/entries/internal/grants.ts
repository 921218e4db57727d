export {
  computeWorstCase,
  describeWorstCase,
  encodeGrant,
  type Grant,
  type GrantUse,
  grantUses,
  listGrantedActions,
  listGrantedSelectors,
  parseGrant,
  type WorstCase,
} from '../../grants/grant.ts'
