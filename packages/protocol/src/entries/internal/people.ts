export { languageTag, ProfileError, publishedProfile, skillTag } from '../../people/profile.ts'
export { hashProfileStatement, type ProfileUse, signedProfile } from '../../people/profileStatement.ts'
export { listRequirements, type ReadinessItem, type Requirement } from '../../people/readiness.ts'
export { reputationFormula } from '../../people/reputation.ts'
