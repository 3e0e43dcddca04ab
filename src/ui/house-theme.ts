import type { TitleTheme } from './title-theme.ts'

/** The house's own title colours (`tokens.css`, docs/design.md, Screens), or those that follow from an owner's accent. */
export const HOUSE: TitleTheme = {
  '--title-bg': 'var(--house)',
  '--title-container': 'var(--house-box)',
  '--title-text': 'var(--house-words)',
  '--title-muted': 'var(--house-quiet)',
}
