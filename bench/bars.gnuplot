# bars.gnuplot - groups of bars, with their numbers on top
#
# Called by bench/plot: gnuplot -c bars.gnuplot DATA SVG TITLE AXIS BARS SCALE
#
# DATA has a header with the names of the bars, and a line for each group: its
# name, then a number or ? for each bar.  BARS says how many there are.  SCALE:
# log, linear, or ratio, which is log with a line at 1.

data = ARG1
bars = int(ARG5)
gap = 1 # as in the style below, which takes no variable

set terminal svg noenhanced size 1000,420 font "sans-serif,12" background "#ffffff"
set output ARG2
set title ARG3
set ylabel ARG4
if (ARG6 eq "linear") {
    set yrange [0:*] noextend
    set offsets 0, 0, graph 0.14, 0
} else {
    set logscale y
    set yrange [*:*] noextend
    set offsets 0, 0, graph 0.14, graph 0.08 # the lowest bar is to be seen
}
if (ARG6 eq "ratio") { set arrow from graph 0, first 1 to graph 1, first 1 nohead back lc rgb "#333333" }
set datafile missing "?"
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85 noborder
set grid ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set xtics scale 0
set key outside center top horizontal
set bmargin 4 # labels have two lines
set linetype 1 lc rgb "#9aa5b1"
set linetype 2 lc rgb "#52606d"
set linetype 3 lc rgb "#2f80c2"
set linetype 4 lc rgb "#d9822b"
set linetype 5 lc rgb "#3a9d5d"
set linetype 6 lc rgb "#b3446c"
set linetype 7 lc rgb "#8a6fbf"
set linetype 8 lc rgb "#c9a227"

# Where the k-th bar of a group is, counted from 0; groups are 1 apart.
place(row, k) = row + (k - (bars - 1) / 2.0) / (bars + gap)
# Three digits, or more before the point.
number(x) = x < 999.5 ? sprintf("%.3g", x) : sprintf("%.0f", x)

plot for [k = 1:bars] data using (column(k + 1)):xtic(1) title columnheader(k + 1), \
     for [k = 1:bars] data using (place($0, k - 1)):(column(k + 1)):(number(column(k + 1))) \
         every ::1 with labels rotate by 90 left offset 0,0.3 font ",9" notitle
