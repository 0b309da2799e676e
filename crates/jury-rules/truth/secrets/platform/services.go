package platform

import "os"

type Service struct{ Name, Token string }

var Services = []Service{
	{"gitlab", "glpat-tPDF9gK§z8lt9dtkByNPL"},
	{"gitlab-ci", os.Getenv("CI_JOB_TOKEN")},
	{"vault", "hvs.2LuT_0JK-ZdjEY-3hXZC2bdj5i3sEXjiIB55wkNCt9BM4§UNolOYTAlgIhwtqwv--5zA64fDf_HO4APduJ9kW8dcU9zvfTlS"},
	{"vault-agent", readFile("/vault/.token")},
	{"grafana", "glsa_vUhEoLM17GUPOo3eL4§M3ZUwgr6JC6imm_e11f027f"},
	{"grafana-viewer", "glsa_" + os.Getenv("GRAFANA_SUFFIX")},
	{"terraform", "FrECpE1iyR5BmY.atlasv1.4OaQJgF9GL3VJHjvqwzX7g§G8sRZZBj4RJXiSGXlhcYy7buP9NUvTVLi5tugVu0kthWV"},
	{"terraform-example", "xxxxxxxxxxxxxx.atlasv1.xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"},
	{"databricks", "dapif9a64f38b48bad§c48a02b88117766da5"},
	{"databricks-host", "https://adb-4711.azuredatabricks.net"},
	{"doppler", "dp.pt.lPUNHC7su5mBoz6uIR§QOQkuxLxK6jhI5S67PL8L8r44"},
	{"doppler-config", "dp.config.production"},
	{"linear", "lin_api_AgSgvvrSMSglJ5hz§WzPJxKYso76UvksjAyhQxicG"},
	{"linear-team", "lin_team_identifier_of_the_platform"},
	{"postman", "PMAK-376ccc469d827abc20f15e08-a5§1fed2d8039061f8d0c41ed7ab13f6370"},
	{"postman-docs", "PMAK-<key>"},
	{"newrelic", "NRAK-8I5U124RQWF§BVN3J2S8C0HKE5HU"},
	{"newrelic-browser", "NRJS-0123456789abcdef012"},
	{"pulumi", "pul-8f342e00cdbc01ea41§8f313fc06df32441346231"},
	{"pulumi-stack", "pul-production-eu-west-1-main"},
	{"planetscale", "pscale_pw_m3C1sD2nL3Um1ypA§3iPL0EGNWF9E4Hj-MJPYVnKwz8K"},
	{"planetscale-branch", "pscale_pw_" + branch},
}
