import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { buttonClass } from '#ui/Button.tsx'

/** The text link at the end of a section's heading. */
export const MoreLink = createLink((props: ComponentProps<'a'>) => (
  <a {...props} className={buttonClass({ look: 'text' })} />
))
