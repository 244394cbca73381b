import type { Track } from '#engine/track.ts';
import type { TrackLines } from './edit-lines.ts';
import type {
  CourseLine,
  DraftTrack,
  KnownTrack,
  Numbered,
  RelatedTrack,
  ShownDrafts,
  TrackAnswer,
  TrackRequest,
} from './track-worker.ts';

/** The engine in a worker, with some lap files opened. */
export type TrackMaker = {
  shown: ShownDrafts;
  /** Times the laps with these lines; returns null if no lap crosses them. */
  time: (lines: TrackLines) => Promise<DraftTrack | null>;
  compare: (draft: Track, tracks: readonly KnownTrack[]) => Promise<RelatedTrack[]>;
  close: () => void;
};

/** Opens lap files in a worker and finds the track that they show. Rejects where the browser cannot run the worker. */
export async function openTrackMaker(files: readonly File[], course: CourseLine | null): Promise<TrackMaker> {
  const worker = new Worker(new URL('track-worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, (answer: TrackAnswer) => void>();
  let count = 0;
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new Error('The worker failed.')));
  });
  failed.catch(() => undefined);
  worker.addEventListener('message', ({ data }: MessageEvent<Numbered<TrackAnswer>>) => {
    waiting.get(data.number)?.(data.message);
    waiting.delete(data.number);
  });
  const ask = async (message: TrackRequest): Promise<TrackAnswer> => {
    const request: Numbered<TrackRequest> = { number: (count += 1), message };
    const answered = new Promise<TrackAnswer>((resolve) => waiting.set(request.number, resolve));
    worker.postMessage(request, []);
    return await Promise.race([answered, failed]);
  };
  const shown = await ask({ type: 'open', files, course });
  if (!('drafts' in shown) && !('sentence' in shown)) throw new Error('The worker answered something else.');
  return {
    shown,
    time: async (lines) => {
      const answer = await ask({ type: 'time', lines });
      return 'draft' in answer ? answer.draft : null;
    },
    compare: async (draft, tracks) => {
      const answer = await ask({ type: 'compare', draft, tracks });
      return 'related' in answer ? answer.related : [];
    },
    close: () => worker.terminate(),
  };
}
