import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/api-query.ts';
import type { Send } from '#web/api/refresh.ts';
import { classNames } from '#web/ui/class-names.ts';
import common from '#web/ui/common.module.css';
import styles from './sign-in.module.css';

const FIELD = 'trackSet';

/** Offers published sets of tracks, which are fetched once the owner is there. */
export function SetUpTracks() {
  const { data } = useQuery(apiQuery('GET /api/track-sets'));
  if (!data) return null;
  return (
    <details className={styles['mail']}>
      <summary>Get tracks, now or later</summary>
      <fieldset className={common['lines']}>
        <legend className={classNames(common['note'], styles['setsLegend'])}>
          Pitboard knows 52 layouts. These sets bring more, fetched from their makers:
        </legend>
        {data.sets.map(({ name, title, summary, attribution, licence }) => (
          <label key={name} className={styles['set']}>
            <input type="checkbox" name={FIELD} value={name} />
            <span>
              {title}, {summary}
              <br />
              <span className={common['note']}>
                {attribution}, {licence}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}

/** Starts to get the chosen sets. The site is set up by then, so a failure is left to the page Import Tracks. */
export async function getChosenSets(send: Send, form: HTMLFormElement): Promise<void> {
  for (const setName of new FormData(form).getAll(FIELD)) {
    if (typeof setName !== 'string') continue;
    await send('POST /api/admin/track-sets/:setName/fetch', { params: { setName } }).catch(() => {});
  }
}
