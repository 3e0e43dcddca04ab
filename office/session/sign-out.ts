import { localStore } from '#storage/page-storage.ts'
import { forgetDrafts } from '../net/use-draft.ts'

/** Reloads the page after signing out, so that no data stays in memory for the next person. */
export function signOutHere(): void {
  forgetDrafts(localStore)
  location.assign('/office/sign-in')
}
