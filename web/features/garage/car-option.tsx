import type { CarModel } from '#contract/cars/schemas.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Facts } from '#web/ui/facts.tsx';
import common from '#web/ui/common.module.css';
import styles from './car-option.module.css';

export function CarOption({ model }: { model: CarModel }) {
  const facts = [model.years, model.drivetrain, model.raceClass];
  return (
    <span className={styles['option']}>
      <span className={styles['name']}>
        {model.modelDisplay}{' '}
        {model.status === 'community_submitted' && <Badge tone="accent">Community</Badge>}
      </span>
      {facts.some(Boolean) && (
        <span className={common['note']}>
          <Facts facts={facts} />
        </span>
      )}
    </span>
  );
}
