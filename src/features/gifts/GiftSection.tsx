import type { ReactNode } from 'react'
import { Display } from '#ui/Display.tsx'
import styles from './gifts.module.css'

/** One numbered part of the form. */
export const GiftSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={styles.section}>
    <legend>
      <Display as="h2" size="sm">
        {title}
      </Display>
    </legend>
    {children}
  </fieldset>
)
