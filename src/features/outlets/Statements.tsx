import { FileTextIcon } from '@phosphor-icons/react/dist/csr/FileText'
import type { OutletStatement } from '#contract/outlets.ts'
import { monthYear } from '#format/date.ts'
import { Icon } from '#ui/Icon.tsx'
import { NewTab } from '#ui/NewTab.tsx'
import { monthOf, statementWords } from './model.ts'
import styles from './Outlets.module.css'

/** One a month, newest first, as files. */
export const Statements = ({ statements }: { statements: readonly OutletStatement[] }) =>
  statements.length > 0 && (
    <ul role="list" className={styles.statements} aria-label="Statements">
      {statements.map((statement) => (
        <li key={statement.id}>
          <Icon of={FileTextIcon} />
          <div>
            <b>{monthOf(statement.from)} statement</b>
            <small>{statementWords(statement)}</small>
          </div>
          <a
            href={statement.pdf}
            target="_blank"
            rel="noopener"
            aria-label={`Open the statement of ${monthYear(statement.from)}, PDF, in a new tab`}
          >
            Open
            <NewTab />
          </a>
          <a href={statement.csv} download aria-label={`CSV of ${monthYear(statement.from)}`}>
            CSV
          </a>
        </li>
      ))}
    </ul>
  )
