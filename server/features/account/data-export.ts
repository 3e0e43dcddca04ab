import { countOrRefuse } from '../../rate-limiting/rate-limit.ts'
import { notFound } from '../../http/http-errors.ts'
import type { Shop } from '../../shop.ts'
import { selectBoughtLines } from '../orders/queries.ts'
import { selectFormerAddresses, selectPendingAddress } from './email-queries.ts'
import { EXPORTS_OF } from './limits.ts'
import {
  selectOwnBookmarks,
  selectOwnHighlightNotes,
  selectOwnHighlights,
  selectOwnEarlierNotes,
  selectOwnLibrary,
  selectOwnPlaces,
  selectOwnReadingPlaces,
  selectOwnRecords,
} from './data-export-queries.ts'
import { selectUser } from './queries.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { exportUser } from '#contract/account-export.ts'

/** @throws 429 after too many exports */
export async function ownData({ db, now }: Shop, userId: string) {
  await countOrRefuse(db, EXPORTS_OF, userId, now())
  const row = await selectUser(db, userId)
  if (!row) throw notFound()
  return {
    user: row.user,
    library: await selectOwnLibrary(db, userId),
    places: await selectOwnPlaces(db, userId),
    bookmarks: await selectOwnBookmarks(db, userId),
    earlierNotes: await selectOwnEarlierNotes(db, userId),
    highlights: await selectOwnHighlights(db, userId),
    earlierHighlightNotes: await selectOwnHighlightNotes(db, userId),
    readingPlaces: await selectOwnReadingPlaces(db, userId),
    orderLines: await selectBoughtLines(db, userId),
    pendingEmail: await selectPendingAddress(db, userId, now()),
    formerEmails: await selectFormerAddresses(db, userId),
    records: await selectOwnRecords(db, userId),
    exportedAt: now(),
  }
}
type OwnData = Awaited<ReturnType<typeof ownData>>

export function exportView(own: OwnData): ReplyOf<typeof exportUser> {
  const { user } = own
  const earlier = Map.groupBy(own.earlierNotes, ({ bookmarkId }) => bookmarkId)
  const earlierOf = Map.groupBy(own.earlierHighlightNotes, ({ highlightId }) => highlightId)
  return {
    '@context': '/api/contexts/UserExport',
    '@id': `/api/users/${user.id}/export`,
    '@type': 'UserExport',
    exportedAt: own.exportedAt.toISOString(),
    profile: {
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      address1: user.address1,
      address2: user.address2,
      city: user.city,
      county: user.county,
      countryCode: user.countryCode,
      postCode: user.postCode,
      newsletter: user.newsletter,
      promotions: user.promotions,
      choiceEmails: user.choiceEmails,
      createdAt: user.createdAt.toISOString(),
      confirmedAt: user.confirmedAt?.toISOString() ?? null,
      pendingEmail: own.pendingEmail,
      formerEmails: own.formerEmails,
    },
    library: own.library.map(({ addedAt, source, ...title }) => ({
      ...titleView(title),
      addedAt: addedAt.toISOString(),
      source,
    })),
    places: own.places.map(({ chapter, seconds, heardAt, speed, ...title }) => ({
      ...titleView(title),
      chapter,
      seconds,
      heardAt: heardAt.toISOString(),
      speed,
    })),
    bookmarks: own.bookmarks.map(({ id, chapter, seconds, sentence, note, madeAt, changedAt, ...title }) => ({
      ...titleView(title),
      chapter,
      seconds,
      sentence,
      note,
      madeAt: madeAt.toISOString(),
      changedAt: changedAt.toISOString(),
      earlierNotes: (earlier.get(id) ?? []).map((before) => ({
        note: before.note,
        changedAt: before.changedAt.toISOString(),
      })),
    })),
    highlights: own.highlights.map(({ id, chapter, quote, note, madeAt, changedAt, ...title }) => ({
      ...titleView(title),
      chapter,
      quote,
      note,
      madeAt: madeAt.toISOString(),
      changedAt: changedAt.toISOString(),
      earlierNotes: (earlierOf.get(id) ?? []).map((before) => ({
        note: before.note,
        changedAt: before.changedAt.toISOString(),
      })),
    })),
    readingPlaces: own.readingPlaces.map(({ share, readAt, ...title }) => ({
      ...titleView(title),
      share,
      readAt: readAt.toISOString(),
    })),
    orders: [...Map.groupBy(own.orderLines, ({ number }) => number)].map(([orderNumber, lines]) => {
      const { createdAt, state, totalMinor } = lines[0]!
      return {
        orderNumber,
        createdAt: createdAt.toISOString(),
        status: state,
        amount: totalMinor / 100,
        items: lines.map(({ title, priceMinor, giftEmail }) => ({
          title,
          price: priceMinor / 100,
          giftEmail,
        })),
      }
    }),
    ...own.records,
  }
}

const titleView = ({ format, slug, title }: { format: string; slug: string; title: string }) => ({
  kind: `${format}s`,
  slug,
  title,
})
