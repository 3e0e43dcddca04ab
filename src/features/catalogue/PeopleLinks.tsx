import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import styles from './people.module.css'

/** "A, B and C", each leading to a page of their own, where they have one. */
export const PeopleLinks = ({ people }: { people: BookCard['authors'] }) =>
  people.map(({ fullName, slug }, index) => (
    <Fragment key={fullName}>
      {index > 0 && (index === people.length - 1 ? ' and ' : ', ')}
      {slug ? (
        <Link to="/people/$slug" params={{ slug }} className={styles.person}>
          {fullName}
        </Link>
      ) : (
        fullName
      )}
    </Fragment>
  ))
