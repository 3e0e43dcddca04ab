import { useQuery } from '@tanstack/react-query'
import type { BookCard } from '#contract/catalogue.ts'
import type { Murmuration } from '#contract/editorial.ts'
import type { SeriesSummary } from '#contract/series.ts'
import { plural } from '#format/plural.ts'
import { authorsOf, coverOf, linkTo } from '#features/catalogue/model.ts'
import {
  authorOf,
  itemIn,
  KIND_WORDS,
  kindOf,
  linkTo as linkToItem,
  pictureOf,
} from '#features/editorial/model.ts'
import { searchMenuQuery } from '#features/home/queries.ts'
import { SearchPanel } from '#features/search/SearchPanel.tsx'
import { menuGroups, type MenuGroup } from '../menus/links.ts'
import { LinkList } from '../menus/NavLink.tsx'
import styles from './header.module.css'

/** The search below the header, with books and articles as their features know them. Loaded when it is opened. */
export function HeaderSearch({ onClose }: { onClose: () => void }) {
  const { data } = useQuery(searchMenuQuery())
  return (
    <SearchPanel
      shortcuts={<SearchShortcuts groups={menuGroups(data ?? [])} onClose={onClose} />}
      lineOfBook={lineOfBook}
      lineOfArticle={lineOfArticle}
      lineOfSeries={lineOfSeries}
      onClose={onClose}
    />
  )
}

function lineOfBook(book: BookCard) {
  const format = book.entityType === 'audioBook' ? 'Audiobook' : 'E-book'
  return {
    key: `${book.entityType} ${book.id}`,
    link: linkTo(book),
    title: book.title,
    detail: [authorsOf(book), format].filter(Boolean).join(' · '),
    picture: coverOf(book),
  }
}

const lineOfSeries = ({ slug, title, titles }: SeriesSummary) => ({
  key: `series ${slug}`,
  link: { to: '/series/$slug', params: { slug } } as const,
  title,
  detail: `A series of ${plural(titles, 'book')}`,
  picture: undefined,
})

function lineOfArticle(murmuration: Murmuration) {
  const item = itemIn(murmuration)!
  return {
    key: `${item.entityType} ${item.id}`,
    link: linkToItem(item),
    title: item.title,
    detail: [authorOf(item), KIND_WORDS[kindOf(item)].one].filter(Boolean).join(' · '),
    picture: pictureOf(item),
  }
}

interface SearchShortcutsProps {
  groups: readonly MenuGroup[]
  onClose: () => void
}

/** Links that many take from the search without typing, in the owner's two groups (HDR-05). */
function SearchShortcuts({ groups, onClose }: SearchShortcutsProps) {
  return (
    <nav aria-label="Search shortcuts" className={styles.groups}>
      {groups.map(({ title, links }) => (
        <LinkList
          key={title}
          aria-label={title}
          links={links}
          linkClassName={styles.shortcut}
          onFollow={onClose}
        />
      ))}
    </nav>
  )
}
