export { languageTag, ProfileError, profile, publishedProfile, skillTag } from '../../people/profile.ts'
export {
  hashProfileStatement,
  type ProfileStatement,
  type ProfileUse,
  signedProfile,
} from '../../people/profileStatement.ts'
export { listRequirements, type ReadinessItem, type Requirement } from '../../people/readiness.ts'
export { reputationFormula } from '../../people/reputation.ts'
