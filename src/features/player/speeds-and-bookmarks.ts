import { bookmarksOf, listBookmarks, putBookmark, removeBookmark } from '#sync/bookmarks.ts'
import type { PlacesDb } from '#storage/places-db.ts'
import { watchPlaces } from '#storage/places.ts'
import { chooseSpeed, speedOf, storeBegunSpeed } from '#sync/speeds.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { currentOwner } from '#session/store.ts'
import type { EarlierNote, PlayerPorts } from './ports.ts'

/**
 * Speeds and bookmarks of whoever listens, on this device.
 *
 * @param sendNow called once one is kept: it is on its way to the account
 */
export function ownSpeedsAndBookmarks(sendNow: () => void): Pick<PlayerPorts, 'speeds' | 'bookmarks'> {
  const sent = async (work: (owner: string) => Promise<unknown>): Promise<void> => {
    await forOwner(work)
    sendNow()
  }
  return {
    speeds: {
      read: (slug) => forOwner((owner) => speedOf(owner, slug)),
      keep: (slug, speed) => sent((owner) => chooseSpeed(owner, slug, speed)),
      storeBegun: (slug, speed) => forOwner((owner) => storeBegunSpeed(owner, slug, speed)),
      subscribe: (slug, onSpeed) =>
        watched(
          (db) => db.speeds.get(slug),
          (chosen) => chosen && onSpeed(chosen.speed),
        ),
    },
    bookmarks: {
      list: async (slug) => (await forOwner((owner) => listBookmarks(owner, slug))) ?? [],
      put: (bookmark) => sent((owner) => putBookmark(owner, bookmark)),
      remove: (id) => sent((owner) => removeBookmark(owner, id)),
      earlierNotes: async (id) => (await forOwner((owner) => earlierNotes(owner, id))) ?? [],
      subscribe: (slug, onChange) => watched((db) => bookmarksOf(db, slug), onChange),
    },
  }
}

const forOwner = <T>(work: (owner: string) => Promise<T>): Promise<T | undefined> => {
  const owner = currentOwner()
  return owner ? work(owner) : Promise.resolve(undefined)
}

async function earlierNotes(owner: string, id: string): Promise<readonly EarlierNote[]> {
  try {
    const answer = await call('GET /api/user_bookmarks/{id}/history', {
      params: { id },
      background: true,
      as: owner,
    })
    return answer['hydra:member']
  } catch (problem) {
    // It waits to be sent: the shop does not know it yet.
    if (problem instanceof NetProblem && problem.status === 404) return []
    throw problem
  }
}

const watched = <T>(read: (db: PlacesDb) => Promise<T>, onValue: (value: T) => void): (() => void) => {
  const owner = currentOwner()
  return owner ? watchPlaces(owner, read, onValue) : () => undefined
}
