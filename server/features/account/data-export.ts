import type { ReplyOf } from '#contract/endpoint.ts'
import type { exportUser } from '#contract/account-export.ts'
import type { OwnData } from './profile.ts'

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
    bookmarks: own.bookmarks.map(({ id, chapter, seconds, note, madeAt, changedAt, ...title }) => ({
      ...titleView(title),
      chapter,
      seconds,
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
