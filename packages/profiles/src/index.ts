export {
  loadProfile,
  maxProfiles,
  type ProfileSearch,
  type PublishedProfile,
  profilesSchema,
  saveProfile,
  searchProfiles,
} from './profiles.ts'
