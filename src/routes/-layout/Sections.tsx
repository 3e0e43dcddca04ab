import type { ReactNode } from 'react'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './layout.module.css'

/** The sections of a page on paper: 64 apart on phones, 96 on desktop. */
export function Sections({ children }: { children: ReactNode }) {
  return <Wrap className={styles.sections}>{children}</Wrap>
}
