import { authentication } from './authentication.ts'
import { companions } from './companions.ts'
import { endpoints } from './endpoints.ts'
import { errorsSection } from './errorsSection.ts'
import { eventsSection } from './eventsSection.ts'
import { limitsSection } from './limitsSection.ts'
import { purpose } from './purpose.ts'
import type { Requirement } from './requirement.ts'
import { resources } from './resources.ts'
import { states } from './states.ts'
import { versioning } from './versioning.ts'

interface Section {
  number: number
  title: string
  requirements: readonly Requirement[]
}

/** The requirements, by section of the specification. */
export const sections: readonly Section[] = [
  { number: 1, title: 'What the service does', requirements: purpose },
  { number: 2, title: 'Resources and their fields', requirements: resources },
  { number: 3, title: 'States and transitions', requirements: states },
  { number: 4, title: 'Endpoints, gateway and tools', requirements: [...endpoints, ...companions] },
  { number: 5, title: 'Authentication', requirements: authentication },
  { number: 6, title: 'Events', requirements: eventsSection },
  { number: 7, title: 'Errors', requirements: errorsSection },
  { number: 8, title: 'Limits', requirements: limitsSection },
  { number: 9, title: 'Versioning', requirements: versioning },
]

export const requirements: readonly Requirement[] = sections.flatMap((section) => section.requirements)
