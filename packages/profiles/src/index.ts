export {
  listNames,
  listNewcomerProfiles,
  loadProfile,
  maxProfiles,
  type ProfilePlace,
  type ProfileSearch,
  type PublishedProfile,
  profilesSchema,
  saveProfile,
  searchProfiles,
  settleProfile,
} from './profiles.ts'
