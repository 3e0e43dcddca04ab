import { ROLES } from '#contract/office/permissions.ts'
import { restoreDone } from '../checks/queries.ts'
import type { Undoable } from '../features/activity/service.ts'
import { newsletterSending } from './newsletter/undo.ts'
import * as content from '../features/documents/undo.ts'
import { selectStaffAt } from '../features/staff/queries.ts'
import { setRole } from '../features/staff/service.ts'
import { refused } from '../http/http-errors.ts'
import { UNDO_PAID, UNDO_TERMS } from './cards/routes.ts'
import { UNDO_START, UNDO_STOP } from './codes/routes.ts'
import { UNDO_PROFILE } from './profiles/routes.ts'
import { UNDO_SETTINGS } from './settings/undo.ts'
import type { UndoTable } from './activity/service.ts'
import { undoTitleEdit, undoTitlePrice, undoTitleSchedule, undoTitleState } from './titles/undo.ts'
import { givenTitle } from './people/given-title.ts'
import { givenAudiobooks, privateNote } from './people/membership-routes.ts'
import { UNDO_SETTLED } from './withdrawals/routes.ts'

const role: Undoable = {
  may: 'team.change',
  fresh: true,
  async undo(shop, { about, before, after }) {
    const person = await selectStaffAt(shop.db, about.replace(/^staff /, ''))
    const former = ROLES.find((each) => each === before)
    if (!person || !former) throw refused('This person has left the team.')
    if (person.role !== after) throw refused(`${person.name} has another role by now.`)
    return {
      kind: 'office role',
      about,
      what: `Made ${person.name} ${former} again`,
      before: after,
      after: former,
      carryOut: () => setRole(shop, person, former),
    }
  },
}

const todo: Undoable = {
  may: 'today.act',
  async undo(shop, { about, before }) {
    const key = about.replace(/^todo /, '')
    return {
      kind: 'todo done',
      about,
      what: 'Took it up again',
      carryOut: () => restoreDone(shop.db, key, typeof before === 'string' ? new Date(before) : null),
    }
  },
}

/** Acts that can be undone, by their kind in the activity log. */
export const UNDOABLE_ACTS: UndoTable = {
  'office role': role,
  'todo done': todo,
  'titles price': undoTitlePrice,
  'titles state': undoTitleState,
  'titles edit': undoTitleEdit,
  'titles schedule': undoTitleSchedule,
  'newsletter send': newsletterSending,
  'content publish': content.publication,
  'content schedule': content.schedule,
  'content retire': content.retirement,
  'people credit': givenAudiobooks,
  'people title': givenTitle,
  'people note': privateNote,
  'settings change': UNDO_SETTINGS,
  'codes stop': UNDO_STOP,
  'profiles change': UNDO_PROFILE,
  'outlets change': UNDO_TERMS,
  'outlets paid': UNDO_PAID,
  'codes start': UNDO_START,
  'withdrawals settle': UNDO_SETTLED,
}
