export {
  loadProfile,
  maxProfiles,
  type ProfileSearch,
  ProfilesFullError,
  type PublishedProfile,
  profilesSchema,
  saveProfile,
  searchProfiles,
} from './profiles.ts'
