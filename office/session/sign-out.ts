import { localStore } from '#storage/page-storage.ts'
import { forgetDrafts } from '../net/use-draft.ts'

/** After signing out the next person at this computer finds nothing: the page is loaded anew. */
export function signOutHere(): void {
  forgetDrafts(localStore)
  location.assign('/office/sign-in')
}
