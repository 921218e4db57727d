export { encodeProfile, type Profile, parseProfile, profileLimits } from '../people/profile.ts'
export {
  buildProfileTypedData,
  type CheckedProfile,
  checkProfile,
  type SignedProfile,
} from '../people/profileStatement.ts'
