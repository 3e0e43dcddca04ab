import type { Undoable } from '../../features/activity/service.ts'
import { cancelIssue, selectIssues } from '../../features/pages/queries.ts'

const issueIn = (about: string): string => about.replace(/^newsletter /, '')

/** What has gone out can't be called back; what still waits can. */
export const newsletterSending: Undoable = {
  may: 'newsletter.send',
  async whyNot({ db }, { about }) {
    const found = (await selectIssues(db)).find(({ issue }) => issue === issueIn(about))
    return found && found.waiting > 0 ? null : 'All of it has gone out.'
  },
  undo: async ({ db }, { about }) => ({
    kind: 'newsletter stop',
    about,
    what: 'Stopped it',
    carryOut: () => cancelIssue(db, issueIn(about)),
  }),
}
